import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type FitResult, fit, type Message, validate } from '../../../src/engine.ts'
import { history } from '../../support/arbitrary-history.ts'
import { full } from '../../support/full.ts'

const numRuns = full ? 2_000 : 6
const window = 8_000

/** The problems that a provider would refuse. Calls at the end may wait for their results, and a blank first message is replaced by nothing. */
function problemsOf({ messages }: FitResult): unknown {
  const said = messages.filter(({ role }) => role !== 'system')
  return validate(said, { pending: 'allowed' }).filter(({ rule }) => rule !== 'first-message')
}

it('a list that grows is sent valid and within the window with its state, whichever list is kept', async () => {
  let used = 0
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 2, maxLength: 4 }), fc.boolean(), async (parts, keepsAll) => {
      let said: Message[] = []
      let given: Message[] = []
      let state: unknown
      for (const [i, part] of parts.entries()) {
        const more = inPart(part, i)
        said = [...said, ...more]
        const list = keepsAll ? said : [...given, ...more]
        const fitted = await fit(list, { window, state })
        const without = await fit(list, { window })
        if (without.fits) expect(fitted.fits).toBe(true)
        if (fitted.fits) expect(problemsOf(fitted)).toEqual([])
        if (fitted.result?.compacted && state !== undefined && fitted.stateIgnored === undefined) used++
        given = fitted.messages
        state = JSON.parse(JSON.stringify(fitted.state))
      }
    }),
    { numRuns },
  )
  expect(used).toBeGreaterThan(0)
})

/** The calls of each part have ids of their own, as they do in life. */
function inPart(messages: readonly Message[], part: number): Message[] {
  const text = JSON.stringify(messages)
  return JSON.parse(text.replaceAll(/"toolCallId":"/g, `"toolCallId":"${part}-`))
}
