import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { brokenLinks, linksIn } from '../support/broken-links.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs')).map((file) => join('docs', file)),
].filter((file) => file.endsWith('.md'))

describe('the links of the documentation', () => {
  it.each(PAGES)('of %s lead somewhere', (page) => {
    expect(brokenLinks(ROOT, page)).toEqual([])
  })

  it('reach every page of docs from the README', () => {
    const linked = linksIn(readFileSync(join(ROOT, 'README.md'), 'utf8'))
    expect(PAGES.filter((page) => page.startsWith('docs') && !linked.includes(page))).toEqual([])
  })
})
