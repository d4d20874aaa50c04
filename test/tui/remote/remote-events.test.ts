import { expect, it } from 'vitest'
import type { EventData } from '../../../src/contract/shapes/wire-events.ts'
import { outcomeLines } from '../../../src/engine/report/outcome.ts'
import { remotePortEvents } from '../../../src/tui/remote/remote-work.ts'

const ENDED: EventData<'compaction.ended'> = {
  session_id: 's',
  automatic: false,
  id: 'c',
  compacted: false,
  outcome: 'skipped',
  reason: 'Tool calls are pending',
  skip: 'pending-tool-calls',
  text: '',
  messages: [],
  tokens_before: 1,
  tokens_after: 1,
  messages_removed: 0,
  summary: '',
  flagged: [],
  read_files: [],
  modified_files: [],
}

it('a compaction that waits for tool calls is described in the words of the local terminal', () => {
  const lines = remotePortEvents({ event: 'compaction.ended', data: ENDED }).flatMap((event) =>
    event.type === 'compaction-ended' ? outcomeLines(event.result) : [],
  )
  expect(lines).toEqual(['Not compacted yet: Tool calls are pending. It can be tried when they have ended'])
})
