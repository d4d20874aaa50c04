import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..', '..')
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs')).map((file) => join('docs', file)),
].filter((file) => file.endsWith('.md'))

/** The links and images of a page that point into the repository. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const written = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  return written.filter((link) => !/^[a-z]+:/.test(link))
}

/** The names by which the sections of a page are linked to. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
  if (!existsSync(target)) return true
  return anchor !== undefined && target.endsWith('.md') && !anchorsIn(readFileSync(target, 'utf8')).includes(anchor)
}

describe('the links of the documentation', () => {
  it.each(PAGES)('of %s lead somewhere', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    expect(linksIn(text).filter((link) => isBroken(page, link))).toEqual([])
  })

  it('reach every page of docs from the README', () => {
    const linked = linksIn(readFileSync(join(ROOT, 'README.md'), 'utf8'))
    expect(PAGES.filter((page) => page.startsWith('docs') && !linked.includes(page))).toEqual([])
  })
})
