import { automaticCompaction } from '../../../agent/compaction/automatic-compaction.ts'
import { getContextRoute } from '../../../contract/routes/context-routes.ts'
import type { WireContext } from '../../../contract/shapes/shapes.ts'
import { toWire } from '../../../contract/shapes/wire.ts'
import { partSizes } from '../../../engine/report/context-parts.ts'
import { withoutFolder } from '../../../engine/report/item-names.ts'
import { largestItems } from '../../../engine/report/largest-items.ts'
import { nextCompaction } from '../../../engine/report/next-compaction.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { isDue, type Measure, measureOf, statusFor } from '../../sessions/measure.ts'
import { sessionHandler } from '../handler.ts'
import { wireParts } from './wire-parts.ts'

const LARGEST = 5
const NAME_CHARACTERS = 200

/** Reports what fills the window of a session, and when the next compaction comes. */
export const getContextHandler = sessionHandler(getContextRoute, async (_, served, services) =>
  wireContext(served, await measureOf(services, served)),
)

/** The sizes of the parts are estimates, scaled so that they add up to the tokens of the status. */
function wireContext({ live }: ServedSession, measure: Measure): WireContext {
  const { model, context } = measure
  const status = statusFor(measure)
  const { workspace } = live.session
  return {
    model: model.name,
    status,
    parts: wireParts(partSizes(context), status.tokens, measure.isFixedKnown),
    budget: toWire(context.budget),
    largest: largestItems(context, LARGEST, NAME_CHARACTERS).map(({ seq, name, tokens }) => ({
      seq,
      name: withoutFolder(name, workspace),
      tokens,
    })),
    messages: context.view.items.length,
    compaction_due: isDue(measure, status),
    next: nextFor(measure),
    policy: toWire(context.policy),
  }
}

function nextFor({ agent, context }: Measure): string {
  return nextCompaction({
    mode: context.policy.mode,
    budget: context.budget,
    tokens: agent.status().tokens,
    readTokens: agent.readTokens(),
    whySkipped: () => {
      const due = automaticCompaction(agent)
      return due.kind === 'keep' ? due.reason : undefined
    },
  })
}
