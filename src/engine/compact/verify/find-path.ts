import { findPattern, isPattern } from './find-pattern.ts'
import { hasExtension } from './path-names.ts'
import { type Accept, normalise, type SourceIndex } from './source-index.ts'

/**
 * True when the source contains the path, or the end of a longer one, in whole segments; or its folder and, apart
 * from it, the rest (a listing, a command run in that folder). A folder or a route may be named in parts.
 */
export function findPath(path: string, index: SourceIndex): boolean {
  const normal = normalise(path)
    .replace(/^(?:\.{1,2}\/|~\/|…\/)+/, '')
    .replace(/\/$/, '')
  if (index.has(normal, isWhole)) return true
  if (isPattern(normal)) return findPattern(normal, index)
  const segments = normal.split('/')
  if (isSplit(segments, index)) return true
  if (hasExtension(normal)) return isModule(normal, index)
  return segments.every((segment) => segment === '' || index.has(segment, isWord))
}

const LISTING_CHARACTERS = 20_000

function isSplit(segments: readonly string[], index: SourceIndex): boolean {
  for (let i = segments.length - 1; i > 0; i--) {
    const folder = segments.slice(0, i).join('/')
    const rest = segments.slice(i).join('/')
    if (!index.has(rest, isRelative)) continue
    if (folder === '') return true
    if (!index.has(folder, isWhole)) continue
    // A name alone says little if the source has it in another folder: then it must stand where this one is listed.
    const isAlone = i === segments.length - 1 && index.has(`/${rest}`, endsFolder)
    if (!isAlone || index.hasAfter(folder, rest, isRelative, LISTING_CHARACTERS)) return true
  }
  return false
}

/** True when the source imports the file: `../api/client` or `../api/client.js` for client.ts, `a.b.c` for a/b/c.py. */
function isModule(path: string, index: SourceIndex): boolean {
  const stem = path.replace(/\.\w+$/, '')
  if (stem.includes('/') && index.has(stem.replaceAll('/', '.'), isWord)) return true
  const segments = stem.split('/')
  return segments.some((_, i) => {
    const folder = segments.slice(0, i).join('/')
    const name = `/${segments.slice(i).join('/')}`
    const isImported = index.has(name, isQuoted) || index.has(`${name}.js`, isQuoted)
    return isImported && (folder === '' || index.has(folder, isWhole))
  })
}

/** True where neither neighbour continues a segment: `a.ts` is not found in `data.ts` nor in `a.tsx`. */
export const isWhole: Accept = (before, after) => !/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)

const isWord: Accept = (before, after) => !/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)

/** The rest of a path written from another folder: no slash before it. */
const isRelative: Accept = (before, after) => before !== '/' && isWhole(before, after)

const endsFolder: Accept = (before, after) => /[\p{L}\p{N}_\])-]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)

const isQuoted: Accept = (before, after) => before === '.' && /['"`]/.test(after)
