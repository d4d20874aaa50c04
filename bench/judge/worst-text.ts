import type { Judged } from './continuation.ts'

const MOST_MARK = 2

/** The judge's reasons for the lowest marks, by context. They help people to find what a record misses. */
export function worstText(judged: readonly Judged[]): string {
  const bad = judged.filter(({ mark }) => mark !== undefined && mark <= MOST_MARK)
  const sections = [...Map.groupBy(bad, ({ context }) => `${context.name} (${context.sizes.join(', ')})`)].map(
    ([name, all]) =>
      `## ${name}\n\n${all
        .toSorted((a, b) => (a.mark ?? 0) - (b.mark ?? 0))
        .map(line)
        .join('\n')}\n`,
  )
  return `# Answers with a mark of ${MOST_MARK} and less\n\n${sections.join('\n')}`
}

function line({ cut, kind, mark, wrong }: Judged): string {
  return `- ${mark} ${kind} at ${cut}: ${wrong === undefined || wrong === '' ? 'the judge said nothing' : wrong}`
}
