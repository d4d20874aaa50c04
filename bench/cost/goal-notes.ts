import { type ContenderOutcomes, editsPercent, foundPercent, sumOf } from './outcome.ts'

/** The goal: this much cheaper than every peer that shows as much, and no peer shows more. */
const GOAL_PERCENT = 10

/** Whether our default reaches the goal, and if not, what is missing. The first contender is ours. */
export function goalNotes(where: string, contenders: readonly ContenderOutcomes[], peers: readonly string[]): string[] {
  const [first] = contenders
  if (first === undefined) return []
  const ours = sumOf(first.bySession)
  const others = contenders
    .filter(({ name }) => peers.includes(name))
    .map(({ name, bySession }) => ({ name, outcome: sumOf(bySession) }))
  const less = others.flatMap(({ name, outcome }) => [
    ...lessBy('far references found', foundPercent(outcome) - foundPercent(ours), name),
    ...lessBy('edited text', editsPercent(outcome) - editsPercent(ours), name),
  ])
  const dear = others.flatMap(({ name, outcome }) => {
    const cheaper = 100 * (1 - ours.cost / outcome.cost)
    const showsAsMuch = foundPercent(outcome) >= foundPercent(ours) && editsPercent(outcome) >= editsPercent(ours)
    return showsAsMuch && cheaper < GOAL_PERCENT ? [`only ${cheaper.toFixed(0)} % cheaper than ${name}`] : []
  })
  const missed = [...less, ...dear]
  const goal = `Goal (no peer shows more, ${GOAL_PERCENT} % cheaper than every peer that shows as much)`
  return [
    `${goal} ${missed.length === 0 ? 'reached' : 'missed'} for a ${where}${missed.length === 0 ? '.' : `: ${missed.join('; ')}.`}`,
  ]
}

function lessBy(what: string, points: number, name: string): string[] {
  return points > 0.05 ? [`${points.toFixed(1)} points less ${what} than ${name}`] : []
}
