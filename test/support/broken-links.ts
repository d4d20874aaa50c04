import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The links and images of a page of a folder that lead to no file or section there. */
export function brokenLinks(folder: string, page: string): string[] {
  return linksIn(readFileSync(join(folder, page), 'utf8')).filter((link) => isBroken(folder, page, link))
}

/** The links and images of a page that are not addresses. */
export function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const written = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  return written.filter((link) => !/^[a-z]+:/.test(link))
}

function isBroken(folder: string, page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(folder, page) : join(folder, dirname(page), path)
  if (!existsSync(target)) return true
  return anchor !== undefined && target.endsWith('.md') && !anchorsIn(readFileSync(target, 'utf8')).includes(anchor)
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
