import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ExtensionWork, registerExtension } from './extension.ts'
import type { PiApi } from './pi-api.ts'

/** The extension for pi: Pith's compaction, masks and `recall`, on the sessions that pi has. */
export default function pith(pi: PiApi): void {
  registerExtension(pi, () => loadNative<ExtensionWork>('extension-work'))
}

/**
 * Loads a module from the folder of this one when it is first needed. In each process, pi compiles an extension and everything
 * that it imports again. Node's own `require` loads modules without that.
 */
function loadNative<Module>(name: string): Module {
  const here = fileURLToPath(import.meta.url)
  return createRequire(here)(`./${name}${extname(here)}`)
}
