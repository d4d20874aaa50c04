import { serialize } from '../../src/engine/record/serialize.ts'
import { PRESETS } from '../../src/model/policy/presets.ts'
import { charactersByFour } from '../../src/tokens/estimate/estimator.ts'
import { cutByCount, cutByTokens, lastReads, openResults, userTexts } from './peer-parts.ts'
import type { PeerPolicy, PeerView, Reduction, SummaryRequest } from './peer-policy.ts'
import { coldCall, SUMMARY_TOKENS, warmCall } from './play-peer.ts'

/** These peers send the span to their summariser as text, with each tool output cut at this many characters. */
function serialized(cutCharacters: number): ({ span }: SummaryRequest) => ReturnType<typeof coldCall> {
  return ({ span }) =>
    coldCall(span.reduce((sum, { message }) => sum + charactersByFour.text(serialize(message, { cutCharacters })), 0))
}

const { triggerMaxTokens: OUR_TRIGGER = 0 } = PRESETS.pith

const afterRequest = ({ tokens, cachedTokens }: SummaryRequest) => warmCall(tokens, cachedTokens)

const pi: PeerPolicy = {
  name: 'pi 0.87.1',
  trigger: 'window − 16,384',
  keeps: '20,000 tokens',
  source: 'DEFAULT_COMPACTION_SETTINGS and serializeConversation of @earendil-works/pi-coding-agent',
  reduce: (view) =>
    view.tokens > view.window - 16_384
      ? { summary: { cut: cutByTokens(view, 20_000), call: serialized(2_000) } }
      : undefined,
}

const claudeCode: PeerPolicy = {
  name: 'Claude Code',
  trigger: 'window − 20,000 − 13,000',
  keeps: 'nothing, but the last 5 files read again, to 5,000 tokens each',
  source:
    'as users found it (anthropics/claude-code#31806, decodeclaude.com); recorded sessions agree with 165k to 167k',
  reduce: (view) =>
    view.tokens >= view.window - 33_000
      ? { summary: { cut: view.items.length, keptTexts: lastReads(view, 5, 5_000), call: afterRequest } }
      : undefined,
}

const codex: PeerPolicy = {
  name: 'Codex',
  trigger: '90 % of the window',
  keeps: 'the user’s messages, to 20,000 tokens',
  source: 'auto_compact_token_limit in codex-rs/protocol, COMPACT_USER_MESSAGE_MAX_TOKENS in codex-rs/core',
  reduce: (view) =>
    view.tokens >= view.window * 0.9
      ? { summary: { cut: view.items.length, keptTexts: userTexts(view, 20_000), call: afterRequest } }
      : undefined,
}

const opencode: PeerPolicy = {
  name: 'opencode',
  trigger: 'window − 32,000 − 20,000',
  keeps: '15,000 tokens',
  source: 'overflow.ts and compaction.ts of sst/opencode (pruning is off by default)',
  reduce: (view) =>
    view.tokens >= view.window - 52_000
      ? { summary: { cut: cutByTokens(view, 15_000), call: serialized(2_000) } }
      : undefined,
}

const deepAgents: PeerPolicy = {
  name: 'LangChain deepagents 1.14.1',
  trigger: '85 % of the window',
  keeps: '10 % of the window',
  source: 'computeSummarizationDefaults of deepagents (summarizationMiddleware itself has no default trigger)',
  reduce: (view) =>
    view.tokens >= view.window * 0.85
      ? {
          summary: {
            cut: cutByTokens(view, view.window * 0.1),
            call: ({ span, count }) => coldCall(count(span)),
          },
        }
      : undefined,
}

const summarization: PeerPolicy = {
  name: 'LangChain summarizationMiddleware 1.5.14',
  trigger: '80 % of the window (its documentation’s example; it has no default)',
  keeps: '20 messages',
  source:
    'DEFAULT_MESSAGES_TO_KEEP and DEFAULT_TRIM_TOKEN_LIMIT of langchain: the summariser sees the last 4,000 tokens',
  reduce: (view) =>
    view.tokens >= view.window * 0.8
      ? { summary: { cut: cutByCount(view.items, 20), call: () => coldCall(4_000) } }
      : undefined,
}

const clearToolUses: PeerPolicy = {
  name: 'LangChain contextEditingMiddleware 1.5.14',
  trigger: '100,000 tokens',
  keeps: 'the last 3 tool results; never summarises',
  onlyMasks: true,
  source: 'ClearToolUsesEdit of langchain: applied to each request again',
  reduce: (view) => {
    if (view.tokens < 100_000) return undefined
    const old = openResults(view).slice(0, -3)
    return old.length === 0 ? undefined : { mask: old.map(({ seq }) => seq) }
  },
}

const gemini: PeerPolicy = {
  name: 'Gemini CLI 0.61.0',
  trigger: '50 % of the window; masks tool output over 50,000 tokens when 30,000 can go',
  keeps: '30 % of the history, from a user message on',
  source: 'chatCompressionService and toolOutputMaskingService of @google/gemini-cli-core',
  reduce: (view) => {
    const mask = geminiMask(view)
    if (view.tokens < view.window * 0.5) return mask
    const cut = geminiSplit(view)
    // A span that would not get smaller is not summarised: then only tool output over its budget is masked.
    if (view.count(view.items.slice(0, cut)) < 2 * SUMMARY_TOKENS) return geminiMask(view, 1)
    // It asks twice: for the snapshot, and for a better one; the second request finds the first in the cache.
    const call = ({ span, count }: SummaryRequest) => {
      const once = coldCall(count(span))
      const read = once.inputTokens
      return { inputTokens: 2 * read, outputTokens: 2 * once.outputTokens, cacheReadTokens: read }
    }
    return { ...geminiMask(view, 1), summary: { cut, call } }
  },
}

function geminiMask(view: PeerView, least = 30_000): Reduction | undefined {
  let protectedTokens = 0
  const old = openResults(view)
    .filter(({ index }) => index < view.items.length - 1)
    .toReversed()
    .filter(({ tokens }) => {
      protectedTokens += tokens
      return protectedTokens > 50_000
    })
  const prunable = old.reduce((sum, { tokens }) => sum + tokens, 0)
  return prunable < least ? undefined : { mask: old.map(({ seq }) => seq) }
}

/** The first message of the user after 70 % of the history, or the last one before if there is none. */
function geminiSplit({ items, count }: PeerView): number {
  const wanted = count(items) * 0.7
  let before = 0
  let last = 0
  for (const [index, item] of items.entries()) {
    if (item.message.role === 'user') {
      if (before >= wanted) return index
      last = index
    }
    before += count([item])
  }
  return last
}

const aiSdkRecipe: PeerPolicy = {
  name: 'AI SDK pruneMessages, the documented recipe',
  trigger: '100,000 tokens',
  keeps: 'the last 3 messages’ tool results; never summarises',
  onlyMasks: true,
  source: 'docs of ai 7, loop control: what is pruned stays pruned',
  reduce: (view) => {
    if (view.tokens - view.fixedTokens < 100_000) return undefined
    const old = openResults(view).filter(({ index }) => index < view.items.length - 3)
    return old.length === 0 ? undefined : { mask: old.map(({ seq }) => seq) }
  },
}

const rolling: PeerPolicy = {
  name: 'AI SDK pruneMessages at every step',
  trigger: 'every request',
  keeps: 'the last 10 messages’ tool results; never summarises',
  onlyMasks: true,
  source: 'pruneMessages in prepareStep, as in its reference: rolling masking',
  reduce: (view) => {
    const old = openResults(view).filter(({ index }) => index < view.items.length - 10)
    return old.length === 0 ? undefined : { mask: old.map(({ seq }) => seq) }
  },
}

/** Not a peer: shows what the default's trigger does by itself, with the plainest summary. */
export const PLAIN: PeerPolicy = {
  name: 'a plain summary at our trigger',
  trigger: `${OUR_TRIGGER.toLocaleString('en')} tokens that were said`,
  keeps: '10,000 tokens',
  source: 'made up: compaction at the default’s trigger without masks, cold trigger and target',
  reduce: (view) =>
    view.tokens - view.fixedTokens >= OUR_TRIGGER
      ? { summary: { cut: cutByTokens(view, 10_000), call: afterRequest } }
      : undefined,
}

/** The default policies of the peers, or their documented recipe if they have no default. */
export const PEERS: readonly PeerPolicy[] = [
  claudeCode,
  codex,
  opencode,
  pi,
  gemini,
  deepAgents,
  summarization,
  clearToolUses,
  aiSdkRecipe,
  rolling,
]
