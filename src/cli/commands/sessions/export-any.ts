import { printable } from '../../../model/text.ts'
import { note, writeExact } from '../../output/show.ts'
import { refuseExisting, sessionOutput } from '../../output/write-session.ts'
import { ownSeal } from '../../process/own-seal.ts'
import { openSource } from '../../sessions/session-source.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { ExportFlags } from './session-commands.ts'

/** Writes a session in a format, to standard output or into a new file. */
export async function exportAny(what: string, flags: ExportFlags): Promise<void> {
  refuseExisting(flags.out)
  const { session, origin } = await openSource(what, loadSetup({}))
  const { text, write } = await sessionOutput(session, session.entries, {
    ...flags,
    source: what,
    origin,
    seal: ownSeal(),
  })
  if (flags.out === undefined) {
    writeExact(text)
    return
  }
  const { path, hint } = write()
  note(`Written to ${printable(path)}`)
  if (hint !== undefined) note(printable(hint))
}
