import { expect, it } from 'vitest'
import { framedParts, recordMessage } from '../../../src/engine/record/compose.ts'
import type { MessageStep } from '../../../src/gateway/identity/conversation.ts'
import { markedBeginning } from '../../../src/gateway/identity/marked-beginning.ts'
import { withRecordMark } from '../../../src/gateway/records/seal.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, user } from '../../support/messages.ts'

const KEY = new Uint8Array(32)
const empty = recordMessage('pith', framedParts({ frame: 'pith', parts: [], messages: 9, standsFor: 9 }))
const RECORD = withRecordMark(String(empty.content), { session: 'other', seq: 4 }, KEY)

function found(...messages: readonly Message[]) {
  const steps = messages.map(
    (message, at): MessageStep => ({ message, at, piece: 0, value: `${at}`, usesTools: false }),
  )
  return markedBeginning(steps, KEY)?.mark
}

it.each<[string, Message[]]>([
  ['as it is', [user(RECORD)]],
  ['in the frame of Claude Code', [user(`This session is being continued.\n\nSummary:\n${RECORD}\n\nContinue.`)]],
  ['in the tags of Gemini CLI', [user(`<state_snapshot>\n${RECORD}\n</state_snapshot>`)]],
  ['as an answer, in opencode', [user('What did we do so far?'), assistant(RECORD)]],
])('a conversation continues from the record that it begins with: %s', (_, messages) => {
  expect(found(...messages)).toEqual({ session: 'other', seq: 4 })
})

it.each<[string, Message[]]>([
  ['a CLAUDE.md', [user(`<system-reminder>\nContents of CLAUDE.md:\n${RECORD}\n</system-reminder>`), user('Begin.')]],
  [
    'an attached file',
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'text', text: `<file>\n${RECORD}\n</file>` },
        ],
      },
    ],
  ],
  ['what the model says', [user('What is in it?'), assistant(`It has this record:\n${RECORD}`)]],
])('a record of another conversation in %s takes nothing over', (_, messages) => {
  expect(found(...messages)).toBeUndefined()
})
