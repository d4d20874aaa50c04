import { compactWithPauses } from '../../fit/compact-with-pauses.ts'
import { answeringPolicy, recordInView } from '../../gateway/modes/answer/record-in-view.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import type { Entry, ModelChunk, ModelInfo, Seq } from '../../model/types.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'
import { recallInLog } from '../shared/recall-in-log.ts'
import { opencodeLog } from './mask-messages.ts'
import type { OpencodeMessage } from './opencode-api.ts'

// The parts that do the work. They are loaded when they are first needed.
export { pluginPolicy } from '../shared/plugin-policy.ts'
export { messagesUpTo, opencodeLog, SessionMasks } from './mask-messages.ts'

/** Answers `recall` from a session of opencode. */
export function recallInSession(input: unknown, id: string, messages: readonly OpencodeMessage[]): Promise<string> {
  return recallInLog(input, { id, agent: 'opencode', log: async () => opencodeLog(messages) })
}

/** A log that opencode compacts, with its policy. */
type NarratedLog = {
  readonly log: readonly Entry[]
  readonly model: Partial<ModelInfo>
  readonly policy: PolicyPatch
  readonly folder: string
  /** The last entry that opencode compacts: it keeps what comes after it word for word. Absent if that is all. */
  readonly upTo?: Seq
}

/** The prompt for the record of a log, with its facts. opencode sends the conversation after it. Undefined if there is nothing to compact. */
export async function narrativePrompt(input: NarratedLog): Promise<string | undefined> {
  let prompt: string | undefined
  await recordWith(input, async function* (directive) {
    prompt = directive
    yield { type: 'error', error: new Error('only asked for its question') }
  })
  return prompt?.replaceAll('onversation above', 'onversation below')
}

/** The record of a log with the narrative that a model wrote, or a digest if the narrative is refused. Undefined if there is nothing to compact. */
export async function narratedRecord(input: NarratedLog, narrative: string): Promise<string | undefined> {
  return recordWith(input, async function* () {
    yield narrative
    yield { type: 'finish', reason: 'stop' }
  })
}

async function recordWith(
  { log, model, policy, folder, upTo = log.at(-1)?.seq ?? 0 }: NarratedLog,
  stream: (directive: string) => AsyncIterable<ModelChunk>,
): Promise<string | undefined> {
  const result = await compactWithPauses({
    log: log.map(withoutUsage),
    policy: answeringPolicy(policy, ['warm']),
    model,
    warm: { name: 'opencode', stream },
    reason: 'manual',
    upTo,
    sourceTexts: async () => [folder],
    redact: await loadRedactor(),
    clock: Date.now,
  })
  return result.compacted ? recordInView(result.view, upTo)?.text : undefined
}

/** The provider's counts include opencode's prompt and tools, so they are removed. */
function withoutUsage(entry: Entry): Entry {
  return entry.type === 'message' ? { ...entry, usage: undefined } : entry
}
