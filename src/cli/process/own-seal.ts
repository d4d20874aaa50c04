import { dataFolder } from '../../config/index.ts'
import { installationKey, knownKey } from '../../config/places/installation-key.ts'
import type { RecordSeal } from '../../engine/record/record-place.ts'
import { recordSeal } from '../../gateway/records/seal.ts'

/**
 * The seal of this installation for the records in files that it writes. Without one, where Pith's folder cannot be written,
 * all works: only the session that a record was made of is then not found when the record comes back.
 */
export function ownSeal(): RecordSeal | undefined {
  return sealOrNone(installationKey)
}

/** The same to know a record again: an installation that never wrote one has no key, and reading makes none. */
export function knownSeal(): RecordSeal | undefined {
  return sealOrNone(knownKey)
}

/** The key of this installation, if it has one that can be read. */
export function keyOrNone(folder: string): Uint8Array | undefined {
  try {
    return knownKey(folder)
  } catch {
    return undefined
  }
}

function sealOrNone(keyIn: (folder: string) => Uint8Array | undefined): RecordSeal | undefined {
  try {
    const key = keyIn(dataFolder())
    return key && recordSeal(key)
  } catch {
    return undefined
  }
}
