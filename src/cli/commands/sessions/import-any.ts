import { counted } from '../../../engine/report/numbers.ts'
import { answerOpenCalls } from '../../../formats/index.ts'
import { printable } from '../../../model/text.ts'
import { importSession } from '../../../session/import/import-session.ts'
import { openStore } from '../../../store/open-store.ts'
import { LOCAL_OWNER } from '../../../store/store.ts'
import { note, print, printJson } from '../../output/show.ts'
import { openSource } from '../../sessions/session-source.ts'
import { knownModels, loadSetup } from '../../setup/setup.ts'
import type { JsonFlag } from './session-commands.ts'

/** Imports a session and prints its new id. */
export async function importAny(what: string, { json }: JsonFlag): Promise<void> {
  const { config, ...setup } = loadSetup({})
  const { session, name } = await openSource(what, { config, ...setup })
  const store = await openStore(config.settings.store)
  try {
    // Nobody here runs the calls of another agent: waiting for their results would prevent every compaction.
    const entries = answerOpenCalls(session.entries)
    const { id, workspace } = await importSession(
      store,
      { ...session, entries },
      {
        owner: LOCAL_OWNER,
        workspace: config.workspace,
        known: knownModels({ config, ...setup }),
      },
    )
    const { messages, calls, issues } = session.counts
    if (json === true) return printJson({ id, workspace, source: name, agent: session.agent, counts: session.counts })
    print(`Imported ${counted(messages, 'message')} with ${counted(calls, 'tool call')} from ${session.agent} as ${id}`)
    print(`  pith --session ${id.slice(0, 8)}   continues it in ${printable(workspace)}`)
    const others = issues - (session.cut === undefined ? 0 : 1)
    if (others > 0)
      note(`  ${counted(others, 'place')} of the file could not be taken as written: pith inspect says which`)
  } finally {
    await store.close()
  }
}
