import { promptIn, promptSections } from '../../engine/report/prompt-report.ts'
import { sumOf, toolSizes, toolsIn } from '../../engine/report/tool-report.ts'
import type { Fixed, PromptSection, ToolSchema, ToolSize } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { withServers } from '../clients/tool-servers.ts'

const MOST_SESSIONS = 1_000
const MOST_TOOLS = 1_000
const MOST_SECTIONS = 200
/** Providers accept no longer names. */
const MOST_CHARACTERS = 128
/** Settings are rare, so the last ones are among the last changes. */
const MOST_CHANGES = 200

/** Notes the sizes of the prompt and the tools that a client sends with each request: once, and again when they change. */
export class FixedNotes {
  readonly #store: Store
  /** The last note of each session, and the parts that it was made of: requests that begin alike share them. */
  readonly #noted = new RecentMap<SessionId, Noted>(MOST_SESSIONS)

  constructor(store: Store) {
    this.#store = store
  }

  /** A request without tools says nothing: agents send such requests for titles and summaries. */
  async note(session: SessionId, fixed: Fixed): Promise<void> {
    const { tools = [], system = '' } = fixed
    const known = this.#noted.get(session)
    if (tools.length === 0 || (known?.of.tools === tools && known.of.system === system)) return
    const before = known ?? (await this.#stored(session))
    const sizes = {
      tools: known?.of.tools === tools ? known.tools : boundedSizes(tools),
      prompt: known?.of.system === system ? known.prompt : await boundedSections(system),
    }
    const changed = {
      ...(JSON.stringify(sizes.tools) === JSON.stringify(before.tools) ? {} : { tools: [...sizes.tools] }),
      ...(isSamePrompt(sizes.prompt, before.prompt) ? {} : { prompt: [...sizes.prompt] }),
    }
    if (Object.keys(changed).length > 0) await this.#store.append(session, [{ type: 'settings', ...changed }])
    // The prompt is compared with the stored one, so that many small changes are noted, too.
    this.#noted.set(session, {
      of: { tools, system },
      tools: sizes.tools,
      prompt: changed.prompt ?? before.prompt ?? [],
    })
  }

  async #stored(session: SessionId): Promise<Partial<Sizes>> {
    const query = { only: 'changes', order: 'newest', limit: MOST_CHANGES, light: true } as const
    const { entries } = await this.#store.entries(session, query)
    return { tools: toolsIn(entries), prompt: promptIn(entries) }
  }
}

type Sizes = { readonly tools: readonly ToolSize[]; readonly prompt: readonly PromptSection[] }
type Noted = Sizes & { readonly of: { readonly tools: readonly ToolSchema[]; readonly system: string } }

function boundedSizes(tools: readonly ToolSchema[]): ToolSize[] {
  const sizes = withServers(toolSizes(tools, featureEstimator)).map(({ name, server, tokens }) => ({
    name: name.slice(0, MOST_CHARACTERS),
    ...(server === undefined ? {} : { server: server.slice(0, MOST_CHARACTERS) }),
    tokens,
  }))
  if (sizes.length <= MOST_TOOLS) return sizes
  const more = sizes.slice(MOST_TOOLS - 1)
  return [...sizes.slice(0, MOST_TOOLS - 1), { name: `… and ${more.length} more`, tokens: sumOf(more) }]
}

/** Titles are words of the prompt, so secrets are removed from them. */
async function boundedSections(system: string): Promise<PromptSection[]> {
  const redact = await loadRedactor()
  const sizes = promptSections(system, featureEstimator).map(({ title, tokens }) => ({ title: redact(title), tokens }))
  if (sizes.length <= MOST_SECTIONS) return sizes
  const more = sizes.slice(MOST_SECTIONS - 1)
  return [...sizes.slice(0, MOST_SECTIONS - 1), { title: `… and ${more.length} more`, tokens: sumOf(more) }]
}

/** A smaller change is a date, a hash or a counter: some agents send another one with each request. */
const LEAST_CHANGE = 0.02
const LEAST_TOKENS = 32

function isSamePrompt(now: readonly PromptSection[], before: readonly PromptSection[] = []): boolean {
  if (now.length !== before.length) return false
  const change = now.reduce((sum, { tokens }, i) => sum + Math.abs(tokens - (before[i]?.tokens ?? 0)), 0)
  return change <= Math.max(LEAST_TOKENS, LEAST_CHANGE * sumOf(before))
}
