import { count, counted, dollars } from './numbers.ts'

type KeepPreview = { readonly kind: 'keep'; readonly reason: string }
type CompactPreview = { readonly kind: 'compact'; readonly messages: number }

/** What a preview of a compaction found, as far as its sentences need it. */
export type PreviewFacts =
  | KeepPreview
  | (CompactPreview & {
      readonly tokens: number
      readonly spanTokens: number
      readonly keptMessages: number
      readonly estimatedCost?: number
    })

/** What a compaction would do, a sentence a line. */
export function previewLines(preview: PreviewFacts): string[] {
  if (preview.kind === 'keep') return [`${previewText(preview)}.`]
  const { tokens, spanTokens, keptMessages, estimatedCost } = preview
  return [
    `${previewText(preview)} (${count(spanTokens)} of ${count(tokens)} tokens).`,
    `${counted(keptMessages, 'message')} would stay.`,
    ...(estimatedCost === undefined ? [] : [`It would cost ${dollars(estimatedCost)} at most.`]),
  ]
}

/** The first of them alone, without numbers of tokens. */
export function previewText(preview: KeepPreview | CompactPreview): string {
  if (preview.kind === 'keep') return `Nothing would be compacted: ${preview.reason}`
  return preview.messages === 0
    ? 'What is too large would be shortened'
    : `A summary would replace ${counted(preview.messages, 'message')}`
}
