import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where tools keep their own files: each copy has its own, so that two runs do not meet. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest'])

/** Files that are ignored because `npm run setup` writes them. The client, and so nearly every test of a command, imports this one. */
const GENERATED = ['src/client/operations.ts']

/** The files of the working tree as they are now, committed or not, without the ignored ones. */
export function filesOfTree(root: string): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 }).split('\0')
  return listed.filter((path) => path !== '' && existsSync(join(root, path)))
}

/** Copies the tree and what was generated to a folder in which mutants can be tried; the packages are linked. */
export function copyTree(root: string, paths: readonly string[], folder: string): void {
  for (const path of [...paths, ...GENERATED]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  const packages = realpathSync(join(root, 'node_modules'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(packages)) {
    if (!CACHES.has(name)) symlinkSync(join(packages, name), join(folder, 'node_modules', name))
  }
}
