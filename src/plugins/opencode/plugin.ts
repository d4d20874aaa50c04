import { fields, text, wholeNumber } from '../../formats/shared/json.ts'
import type { ModelInfo } from '../../model/types.ts'
import { PLUGIN_RECALL_DESCRIPTION } from '../shared/recall-schema.ts'
import type { SessionMasks } from './mask-messages.ts'
import type { OpencodeHooks, OpencodeInput, OpencodeMessage, OpencodeTool } from './opencode-api.ts'

/** The parts that do the work. */
type PluginWork = typeof import('./plugin-work.ts')

/** The hooks of Pith in opencode. `work` loads the parts when they are needed. */
export function opencodeHooks(
  { client, directory }: OpencodeInput,
  recallArgs: OpencodeTool['args'],
  work: () => Promise<PluginWork>,
): OpencodeHooks {
  const models = new Map<string, Partial<ModelInfo>>()
  const masks = new Map<string, SessionMasks>()
  /** The last message that a compaction covers, by session. */
  const compacting = new Map<string, { last?: unknown }>()
  const all = async (id: string) => (await client.session.messages({ path: { id } })).data ?? []
  const narrated = async (id: string, messages: readonly OpencodeMessage[]) => {
    const { opencodeLog, pluginPolicy } = await work()
    return {
      log: opencodeLog(messages),
      model: models.get(id) ?? {},
      policy: pluginPolicy(directory),
      folder: directory,
    }
  }

  return {
    'chat.params': async ({ sessionID, model }) => {
      models.set(sessionID, modelInfoOf(model))
    },
    'experimental.session.compacting': ({ sessionID }, output) =>
      ignoringErrors(async () => {
        compacting.delete(sessionID)
        const messages = (await all(sessionID)).filter(({ parts }) => !parts.some(({ type }) => type === 'compaction'))
        const prompt = await (await work()).narrativePrompt(await narrated(sessionID, messages))
        if (prompt === undefined) return
        output.prompt = prompt
        compacting.set(sessionID, {})
      }),
    'experimental.text.complete': ({ sessionID, messageID }, output) =>
      ignoringErrors(async () => {
        const covered = compacting.get(sessionID)
        if (covered === undefined) return
        const messages = await all(sessionID)
        // After a compaction that failed, the next answer is an ordinary one and not a summary.
        if (messages.find(({ info }) => info.id === messageID)?.info.summary !== true) return
        compacting.delete(sessionID)
        const { messagesUpTo, narratedRecord, opencodeLog } = await work()
        const upTo = opencodeLog(messagesUpTo(messages, covered.last)).at(-1)?.seq
        // The request for this summary, and the summary, come last. The messages before them show what was answered.
        const request = messages.findLast(({ parts }) => parts.some(({ type }) => type === 'compaction'))
        const talk = messages.filter((message) => message !== request && message.info.id !== messageID)
        const record = await narratedRecord({ ...(await narrated(sessionID, talk)), upTo }, output.text)
        if (record !== undefined) output.text = record
      }),
    'experimental.chat.messages.transform': (_, output) =>
      ignoringErrors(async () => {
        const last = output.messages.at(-1)?.info
        const session = text(last?.sessionID)
        if (last === undefined || session === undefined) return
        const covered = compacting.get(session)
        if (covered !== undefined && covered.last === undefined) {
          covered.last = last.id
          return
        }
        const { pluginPolicy, SessionMasks: Masks } = await work()
        const own = masks.get(session) ?? new Masks(session)
        masks.set(session, own)
        const model = models.get(session) ?? {}
        await own.apply(output.messages, { all: () => all(session), model, policy: pluginPolicy(directory) })
      }),
    tool: {
      recall: {
        description: PLUGIN_RECALL_DESCRIPTION,
        args: recallArgs,
        execute: async (input, { sessionID }) => (await work()).recallInSession(input, sessionID, await all(sessionID)),
      },
    },
  }
}

function modelInfoOf(model: unknown): Partial<ModelInfo> {
  const known = fields(model)
  const limit = fields(known?.limit)
  const cost = fields(known?.cost)
  const [input, output] = [cost?.input, cost?.output]
  return {
    provider: text(known?.providerID),
    model: text(known?.id),
    contextWindow: wholeNumber(limit?.context) || undefined,
    maxInput: wholeNumber(limit?.input) || undefined,
    maxOutput: wholeNumber(limit?.output) || undefined,
    prices: typeof input === 'number' && typeof output === 'number' ? { input, output } : undefined,
  }
}

/** If Pith fails, opencode works as without Pith. The error is not reported, because opencode has no unobtrusive place for it. */
async function ignoringErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch {}
}
