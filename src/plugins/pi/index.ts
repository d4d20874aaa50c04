import { type ExtensionWork, registerExtension } from './extension.ts'
import { loadNative } from './load-native.ts'
import type { PiApi } from './pi-api.ts'

/** The extension for pi: Pith's compaction, masks and `recall`, on the sessions that pi has. */
export default function pith(pi: PiApi): void {
  registerExtension(pi, () => loadNative<ExtensionWork>('extension-work'))
}
