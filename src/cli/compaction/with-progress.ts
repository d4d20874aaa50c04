import { count, counted, dollars } from '../../engine/report/numbers.ts'
import { chunkText, retryText, rungText } from '../../engine/report/progress-text.ts'
import { summaryModelsFor } from '../../llm/summary-models-for.ts'
import type { CompactEvent } from '../../model/compact-result.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { SummaryModel } from '../../model/types.ts'
import { fitted, note, showProgress } from '../output/show.ts'
import { interruptible } from '../process/interruptible.ts'
import { openNamedModel, refuseUnknownModel, type Setup } from '../setup/setup.ts'
import type { CompactLogInput } from './compact-log.ts'

/** The models that write the summary. Without any, `missing` says why it will be a digest. */
export type SummaryWriters = { readonly models: readonly SummaryModel[]; readonly missing?: string }

type WantedModel = { readonly model?: string; readonly offline?: true }

/** Runs the compaction of a command until it ends or the user interrupts it, and shows its progress on one line of the terminal. */
export async function withProgress<T>(
  setup: Setup,
  wanted: WantedModel,
  compact: (about: Pick<CompactLogInput, 'writers' | 'signal' | 'onEvent'>) => Promise<T>,
): Promise<T> {
  const writers = await summaryWriters(setup, wanted)
  if (writers.missing !== undefined) note(`The summary is a digest of the log · ${writers.missing}`)
  const onEvent = progressLine()
  return interruptible((signal) => compact({ writers, signal, onEvent })).finally(() => showProgress(''))
}

/** The models for a policy's summaries. It is an error only when a model that the user named cannot be used. */
async function summaryWriters({ config, models }: Setup, wanted: WantedModel): Promise<SummaryWriters> {
  refuseUnknownModel(wanted.model, models)
  if (wanted.offline === true) return { models: [] }
  const { model, missing } = await openNamedModel(wanted.model ?? config.settings.model, models)
  if (missing === undefined) return summaryModelsFor(config.policy.summaryModel, model, models)
  if (wanted.model !== undefined) throw new PithError('no-model', missing)
  return { models: [], missing }
}

function progressLine(): (event: CompactEvent) => void {
  let about = ''
  const show = (step: string) => {
    const line = ['⚡ Compacting…', step, about].filter((text) => text !== '').join(' · ')
    showProgress(fitted(line, (process.stderr.columns ?? 80) - 1))
  }
  return (event) => {
    switch (event.type) {
      case 'start': {
        const cost = event.estimatedCost === undefined ? '' : `, at most ${dollars(event.estimatedCost)}`
        about = `${counted(event.messages, 'message')} of ${count(event.tokens)} tokens${cost}`
        return show('')
      }
      case 'rung':
        return show(rungText(event.rung, event.model))
      case 'chunk':
        return show(chunkText(event.chunk, event.of))
      case 'retry':
        return show(retryText(event))
      case 'refused':
        return show(`refused: ${event.reason}`)
      case 'text':
      case 'done':
        return
    }
  }
}
