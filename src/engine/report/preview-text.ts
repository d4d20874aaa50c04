import { count, counted, dollars } from './numbers.ts'

type KeepPreview = { readonly kind: 'keep'; readonly reason: string }
type CompactPreview = { readonly kind: 'compact'; readonly messages: number }

/** The result of a preview, with the fields that its sentences need. */
export type PreviewFacts =
  | KeepPreview
  | (CompactPreview & {
      readonly tokens: number
      readonly spanTokens: number
      readonly keptMessages: number
      readonly estimatedCost?: number
    })

/** The effect that a compaction would have, one sentence per line. */
export function previewLines(preview: PreviewFacts): string[] {
  if (preview.kind === 'keep') return [`${previewText(preview)}.`]
  const { tokens, spanTokens, keptMessages, estimatedCost } = preview
  return [
    `${previewText(preview)} (${count(spanTokens)} of ${count(tokens)} tokens).`,
    `${counted(keptMessages, 'message')} would stay.`,
    ...(estimatedCost === undefined ? [] : [`It would cost ${dollars(estimatedCost)} at most.`]),
  ]
}

/** Only the first sentence, without numbers of tokens. */
export function previewText(preview: KeepPreview | CompactPreview): string {
  if (preview.kind === 'keep') return `Nothing would be compacted: ${preview.reason}`
  return preview.messages === 0
    ? 'The largest messages would be shortened'
    : `A summary would replace ${counted(preview.messages, 'message')}`
}
