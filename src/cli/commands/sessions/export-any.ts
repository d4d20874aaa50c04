import { printable } from '../../../model/text.ts'
import { note, writeExact } from '../../output/show.ts'
import { refuseExisting, sessionOutput } from '../../output/write-session.ts'
import { sealFrom } from '../../sessions/record-source.ts'
import { openSource } from '../../sessions/session-source.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { ExportFlags } from './session-commands.ts'

/** Writes a session in a format, to standard output or into a new file. */
export async function exportAny(what: string, flags: ExportFlags): Promise<void> {
  refuseExisting(flags.out)
  const source = await openSource(what, loadSetup({}))
  const { session, origin } = source
  const { seal, keep } = sealFrom(source)
  const { text, write } = await sessionOutput(session, session.entries, { ...flags, source: what, origin, seal })
  if (flags.out === undefined) {
    writeExact(text)
    return keep(session.entries)
  }
  const { path, hint } = write()
  keep(session.entries)
  note(`Written to ${printable(path)}`)
  if (hint !== undefined) note(printable(hint))
}
