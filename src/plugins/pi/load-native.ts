import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Loads a module from the folder of this one when it is first needed. In each process, pi compiles an extension and everything
 * that it imports again. Node's own `require` loads modules without that.
 */
export function loadNative<Module>(name: string): Module {
  const here = fileURLToPath(import.meta.url)
  return createRequire(here)(`./${name}${extname(here)}`)
}
