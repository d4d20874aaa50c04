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

  it('reach every page of docs from the README, and from the index of docs', () => {
    const linked = linksIn(readFileSync(join(ROOT, 'README.md'), 'utf8'))
    const listed = linksIn(readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8')).map((link) => join('docs', link))
    const pages = PAGES.filter((page) => page.startsWith('docs'))
    expect(pages.filter((page) => !linked.includes(page))).toEqual([])
    expect(pages.filter((page) => !listed.includes(page) && page !== 'docs/README.md')).toEqual([])
  })
})
