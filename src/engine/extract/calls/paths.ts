/** A path relative to a folder, without `.` and `..` if they can be resolved. An absolute path does not change. */
export function joinPath(folder: string, path: string): string {
  const [above, inside] = [withSlashes(folder), withSlashes(path)]
  return normalPath(above === '' || isAbsolute(inside) ? inside : `${above}/${inside}`)
}

/**
 * A path of Windows as we keep it: `d:\x` and `D:/x` are one file, and so are `src\a.ts` and `src/a.ts`. Elsewhere a name may
 * contain a backslash, so other paths stay as they are.
 */
export function withSlashes(path: string): string {
  const slashes = OF_WINDOWS.test(path) ? path.replaceAll('\\', '/') : path
  return slashes.replace(/^[a-z](?=:\/)/, (drive) => drive.toUpperCase())
}

/** From a drive, from a server (`\\server\share`), or relative with backslashes alone between its names and an extension. */
const OF_WINDOWS = /^(?:[A-Za-z]:\\|\\\\[\w.$-]+\\|(?:[\w.@ ()-]+\\)+[\w.@ ()-]*\.[A-Za-z]\w{0,9}$)/

/** `/d/x` of Git Bash as `D:/x`. */
export function withDrive(path: string): string {
  return path.replace(/^\/([a-z])(?=\/)/, (_, drive: string) => `${drive.toUpperCase()}:`)
}

/** A path without empty segments, `.`, and the `..` that can be resolved; the empty path is `.`. */
function normalPath(path: string): string {
  const root = /^(?:[A-Za-z]:\/|\/\/(?=[^/])|\/)/.exec(path)?.[0] ?? ''
  const segments: string[] = []
  for (const segment of path.slice(root.length).split('/')) {
    if (segment === '' || segment === '.') continue
    const last = segments.at(-1)
    if (segment !== '..') segments.push(segment)
    else if (last !== undefined && last !== '..' && last !== '~') segments.pop()
    else if (root === '') segments.push(segment)
  }
  return root + segments.join('/') || '.'
}

/** True for a path that does not depend on the working folder: from the root, a home folder or a drive. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:[\\/])/.test(path)
}

/** True if the paths are equal, or one ends with the other in whole segments. */
export function isSamePath(a: string, b: string): boolean {
  return a === b || b.endsWith(`/${a}`) || a.endsWith(`/${b}`)
}

/** The last segment of a path. */
export function baseName(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '' || last === '.' || last === '..' ? (normalPath(path).split('/').at(-1) ?? path) : last
}

/** True if the last segment of a path looks like the name of a file rather than a folder. */
export function looksLikeFile(path: string): boolean {
  const name = baseName(path)
  return !path.endsWith('/') && (/[^.]\.[A-Za-z]\w{0,9}$/.test(name) || FILES_WITHOUT_EXTENSION.has(name))
}

const FILES_WITHOUT_EXTENSION: ReadonlySet<string> = new Set(
  `Dockerfile Gemfile Jenkinsfile Justfile LICENSE Makefile Procfile README Rakefile
  .editorconfig .env .gitignore .npmrc`.split(/\s+/),
)
