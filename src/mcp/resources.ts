import { messageItem } from '../engine/context/view/item-list.ts'
import { indexDelta } from '../engine/extract/index-delta.ts'
import { ledgerOf } from '../engine/extract/ledger/ledger-of.ts'
import type { DatedSnippet } from '../engine/record/digest/render-within.ts'
import { checkSnippets, commitSnippets, fileSnippets, LEDGER_SHORT } from '../engine/record/ledger-lines.ts'
import { mergeIndexes } from '../model/facts/log-index.ts'
import type { Entry } from '../model/types.ts'
import { chosenSession, fittingLines, type SessionFinder, sessionLine, withinAnswer } from './found-session.ts'

/** A text about the session that a client can attach. */
export type McpResource = {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly read: (finder: SessionFinder) => Promise<string>
}

export const RESOURCES: readonly McpResource[] = [
  {
    uri: 'pith://record',
    name: 'record',
    description: 'What a compaction would leave of this session now',
    read: async (finder) => {
      const chosen = await chosenSession(finder)
      const line = sessionLine(chosen, await chosen.session.read())
      const record =
        (await chosen.session.record()) ?? 'There is no record yet: the session is too short to be compacted.'
      return page(line, record.split('\n'))
    },
  },
  {
    uri: 'pith://ledger',
    name: 'ledger',
    description: 'Files that this session changed, commits, and the last run of each check',
    read: async (finder) => {
      const chosen = await chosenSession(finder)
      const log = await chosen.session.read()
      return page(sessionLine(chosen, log), ledgerText(log.entries))
    },
  },
]

function page(line: string, lines: readonly string[]): string {
  return withinAnswer((characters) => `${line}\n\n${fittingLines(lines, characters)}`)
}

function ledgerText(entries: readonly Entry[]): string[] {
  const items = entries.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
  const ledger = ledgerOf(mergeIndexes([indexDelta(items)]))
  const lines = [
    ...part('Files', fileSnippets(ledger)),
    ...part('Checks', checkSnippets(ledger).toReversed()),
    ...part('Commits', commitSnippets(ledger).toReversed()),
  ]
  return lines.length === 0 ? ['Nothing was changed, checked or committed.'] : lines
}

function part(title: string, snippets: readonly DatedSnippet[]): string[] {
  return snippets.length === 0
    ? []
    : [`## ${title}`, ...snippets.flatMap(({ render }) => render(LEDGER_SHORT).split('\n')), '']
}
