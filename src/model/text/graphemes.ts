let segmenter: Intl.Segmenter | undefined

/** The characters of a text as a reader counts them. Most programs need none of them, and to get ready takes 20 ms. */
export function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}
