let segmenter: Intl.Segmenter | undefined

/** The characters of a text as a reader counts them. The segmenter is created on first use, because that takes 20 ms and most programs need none. */
export function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}
