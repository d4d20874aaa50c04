import { factsOf, planted } from './facts.ts'

/** By this line the brain knows its task again. */
export const TASK = 'Task: the sixty steps'

/** The user's request. */
export function sixtyStepsPrompt(seed: number): string {
  return `${TASK}. Bring this workspace into the state that the release procedure describes, one step after the other, from step 1 to step 60, without asking me anything.

What holds for all steps:
- Every file that you write under out/ must begin with a line that has the licence tag and nothing else: ${planted('licence-tag', factsOf(seed))}.
- Never change anything under docs/ or tools/.
- Commands note their step in progress.md before they do anything else, so that you can always see how far you are.
- Values that you find on the way are given as label = "value". You will need several of them much later. Write them exactly. If you do not have one in front of you any more, look it up by its label.

When step 60 is done, say so and stop.`
}
