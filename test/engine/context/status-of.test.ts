import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { statusOf } from '../../../src/engine/context/open-context.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { turns } from '../../support/messages.ts'

it.each(['pith', 'koda', 'agent', 'kit', 'keen'] as const)(
  'under %s the status of a log is the number that a compaction reports',
  async (preset) => {
    const log = logOf(turns(30, 400))
    const options = { policy: { preset }, model: { contextWindow: 16_000 } }
    const result = await compact({ log, ...options })
    expect(statusOf(log, options).tokens).toBe(result.tokensBefore)
    expect(statusOf([...log, ...result.entries], options).tokens).toBe(result.tokensAfter)
  },
)
