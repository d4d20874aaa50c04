import { expect, it } from 'vitest'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { outcomeLines } from '../../../src/engine/report/outcome.ts'
import { portEvents } from '../../../src/tui/local/local-work.ts'

it('a compaction that waits for tool calls is not called one that is not needed', () => {
  const sizes = { tokensBefore: 1, tokensAfter: 1, messagesRemoved: 0 }
  const why = { outcome: 'skipped', skip: 'pending-tool-calls', reason: 'Tool calls are pending' } as const
  const result = {
    ...sizes,
    ...why,
    compacted: false,
    messages: [],
    view: viewOf([]),
    entries: [],
    readFiles: [],
    modifiedFiles: [],
  } as const
  const lines = portEvents({ type: 'compaction-ended', automatic: false, result }).flatMap((event) =>
    event.type === 'compaction-ended' ? outcomeLines(event.result) : [],
  )
  expect(lines).toEqual(['Not compacted yet: Tool calls are pending. It can be tried when they have ended'])
})
