import { expect, it } from 'vitest'
import { appended } from '../../../src/engine/context/view/log.ts'
import type { EntryDraft } from '../../../src/model/types.ts'
import type { CommandContext } from '../../../src/tui/commands/command.ts'
import { slashCopy } from '../../../src/tui/commands/help.ts'
import { blocksOf } from '../../../src/tui/state/apply-entry.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

it.each([
  ['#1', 'the question'],
  ['#3', 'what the tool said'],
  ['#4', 'the answer'],
  ['', 'the answer'],
])('/copy %s copies the text of that entry', async (rest, text) => {
  const messages = [user('the question'), call('a'), result('a', 'what the tool said'), assistant('the answer')]
  const blocks = blocksOf([
    ...appended(
      [],
      messages.map((message): EntryDraft => ({ type: 'message', message })),
    ),
  ])
  const copied: string[] = []
  const context = {
    state: () => ({ blocks }),
    note: () => {},
    copy: (words: string) => copied.push(words),
  } as unknown as CommandContext
  await slashCopy.run(context, rest)
  expect(copied).toEqual([text])
})
