import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Loads a module that stands beside this one when it is first needed. pi compiles an extension and everything that it
 * imports anew in each process; Node's own `require` takes modules as they are.
 */
export function loadNative<Module>(name: string): Module {
  const here = fileURLToPath(import.meta.url)
  return createRequire(here)(`./${name}${extname(here)}`)
}
