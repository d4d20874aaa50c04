/** True for a text in which a model got stuck: it is long, and most of it is the same few lines or words again. */
export function isRepetitive(text: string): boolean {
  if (text.length < 1_000) return false
  return (
    mostlySame(
      text.split('\n').map((line) => line.trim()),
      20,
    ) || mostlySame(text.split(/\s+/), 200)
  )
}

/** At least `least` pieces, of which not one in ten is new. */
function mostlySame(pieces: readonly string[], least: number): boolean {
  const told = pieces.filter((piece) => piece !== '')
  return told.length >= least && new Set(told).size * 10 < told.length
}
