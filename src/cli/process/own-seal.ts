import { dataFolder } from '../../config/index.ts'
import type { RecordSeal } from '../../engine/record/read/record-seal.ts'
import { installationKey } from '../../gateway/records/installation-key.ts'
import { recordSeal } from '../../gateway/records/seal.ts'

/**
 * The seal of this installation for the records in its files. Without one, where Pith's folder cannot be written, all works:
 * only what a record quotes of the user is then not believed when it comes back.
 */
export function ownSeal(): RecordSeal | undefined {
  try {
    return recordSeal(installationKey(dataFolder()))
  } catch {
    return undefined
  }
}
