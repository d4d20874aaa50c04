import { automaticCompaction } from '../../../agent/compaction/automatic-compaction.ts'
import { getContextRoute } from '../../../contract/routes/context-routes.ts'
import type { WireContext } from '../../../contract/shapes/shapes.ts'
import { toWire } from '../../../contract/shapes/wire.ts'
import { estimatorOf } from '../../../engine/context/measure/estimator-of.ts'
import { addItem, fixedSizes } from '../../../engine/report/context-parts.ts'
import { itemName, withoutFolder } from '../../../engine/report/item-names.ts'
import { nextCompaction } from '../../../engine/report/next-compaction.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { messageTokens } from '../../../tokens/estimate/estimator.ts'
import type { ContextFilling, ServedSession } from '../../sessions/live-sessions.ts'
import { budgetFor, isDue, type Measure, measureOf, statusFor } from '../../sessions/measure.ts'
import { sessionHandler } from '../handler.ts'
import { wireParts } from './wire-parts.ts'

const LARGEST = 5
const NAME_CHARACTERS = 200

/** Reports what fills the window of a session, and when the next compaction comes. */
export const getContextHandler = sessionHandler(getContextRoute, async (_, served, services) =>
  wireContext(served, await measureOf(services, served)),
)

/** The sizes of the parts are estimates, scaled so that they add up to the tokens of the status. */
function wireContext(served: ServedSession, measure: Measure): WireContext {
  const { model, policy } = measure
  const status = statusFor(served, measure)
  const { sizes, largest } = fillingOf(served, measure)
  return {
    model: model.name,
    status,
    parts: wireParts(sizes, status.tokens, measure.isFixedKnown),
    budget: toWire(budgetFor(served, measure)),
    largest,
    messages: served.live.view.items.length,
    compaction_due: isDue(measure, status),
    next: nextFor(served, measure),
    policy: toWire(policyOf(policy)),
  }
}

/** A page asks for it again with every change of anything, and a long view takes a second to add up. */
function fillingOf(served: ServedSession, { model, policy, fixed }: Measure): ContextFilling {
  const { live, filling: known } = served
  const { view } = live
  const estimator = estimatorOf(policyOf(policy), live.log, model.info)
  const sizes = fixedSizes(fixed, estimator)
  const settings = JSON.stringify([model.info, policy, sizes])
  if (known?.view === view && known.settings === settings) return known.value
  const items = view.items.slice()
  for (const item of items) addItem(sizes, item, estimator)
  const largest = items
    .map(({ seq, message }, i) => ({ seq, i, tokens: messageTokens(message, estimator) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, LARGEST)
    .map(({ seq, i, tokens }) => {
      const name = withoutFolder(itemName(items, i, NAME_CHARACTERS), live.session.workspace)
      return { seq, name, tokens }
    })
  served.filling = { view, settings, value: { sizes, largest } }
  return served.filling.value
}

function nextFor(served: ServedSession, measure: Measure): string {
  return nextCompaction({
    mode: policyOf(measure.policy).mode,
    budget: budgetFor(served, measure),
    tokens: measure.agent.status().tokens,
    readTokens: measure.agent.readTokens(),
    whySkipped: () => {
      const due = automaticCompaction(measure.agent)
      return due.kind === 'keep' ? due.reason : undefined
    },
  })
}
