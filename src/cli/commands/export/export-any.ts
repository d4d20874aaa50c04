import { printable } from '../../../engine/text/printable.ts'
import { note, writeExact } from '../../output/show.ts'
import {
  outputFormat,
  refuseExisting,
  resumeHint,
  withoutSecrets,
  writeNew,
  written,
} from '../../output/write-session.ts'
import { openSource } from '../../sessions/session-source.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { ExportFlags } from './export.ts'

/** Writes a session in a format, to standard output or into a new file. */
export async function exportAny(what: string, { to, out, withSecrets }: ExportFlags): Promise<void> {
  refuseExisting(out)
  const { session: whole } = await openSource(what, loadSetup({}))
  const { session } = withSecrets === true ? { session: whole } : await withoutSecrets(whole, whole.entries)
  const format = outputFormat(session, to)
  const made = written(session, session.entries, format)
  if (out === undefined) {
    writeExact(made.text)
    return
  }
  note(`Written to ${printable(writeNew(out, made))}`)
  const hint = resumeHint(format, made)
  if (hint !== undefined) note(printable(hint))
}
