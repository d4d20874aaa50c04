import { compact } from '../../engine/compact/compact.ts'
import { answeringPolicy, recordInView } from '../../gateway/modes/answer/record-in-view.ts'
import type { Entry } from '../../model/entry.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import type { ModelChunk, ModelInfo } from '../../model/provider/model-info.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'

/** A log that opencode compacts, and under which policy. */
export type NarratedLog = {
  readonly log: readonly Entry[]
  readonly model: Partial<ModelInfo>
  readonly policy: PolicyPatch
  readonly folder: string
}

/** What the model is asked for the record of a log, facts included: the conversation follows behind it. Undefined where there is nothing to compact. */
export async function narrativePrompt(input: NarratedLog): Promise<string | undefined> {
  let prompt: string | undefined
  await recordWith(input, async function* (directive) {
    prompt = directive
    yield { type: 'error', error: new Error('only asked for its question') }
  })
  return prompt?.replaceAll('onversation above', 'onversation below')
}

/** The record of a log with the narrative that a model wrote, if that one is accepted; else a digest. Undefined where there is nothing to compact. */
export async function narratedRecord(input: NarratedLog, narrative: string): Promise<string | undefined> {
  return recordWith(input, async function* () {
    yield narrative
    yield { type: 'finish', reason: 'stop' }
  })
}

async function recordWith(
  { log, model, policy, folder }: NarratedLog,
  stream: (directive: string) => AsyncIterable<ModelChunk>,
): Promise<string | undefined> {
  const result = await compact({
    log: log.map(withoutUsage),
    policy: answeringPolicy(policy, ['warm']),
    model,
    warm: { name: 'opencode', stream },
    reason: 'manual',
    sourceTexts: async () => [folder],
    redact: await loadRedactor(),
    clock: Date.now,
  })
  return result.compacted ? recordInView(result.view, log.at(-1)?.seq ?? 0)?.text : undefined
}

/** The counts of the provider have opencode's prompt and tools in them. */
function withoutUsage(entry: Entry): Entry {
  return entry.type === 'message' ? { ...entry, usage: undefined } : entry
}
