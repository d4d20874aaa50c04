/**
 * A task of sixty steps that a model can only do right if what it learns survives compaction: seven values, planted at
 * random by a seed, are needed many steps after they were seen. See `sixty-steps/steps.ts` for the procedure.
 */
export { sixtyStepsBrain } from './sixty-steps/brain.ts'
export { factsOf, LABELS } from './sixty-steps/facts.ts'
export { sixtyStepsPrompt } from './sixty-steps/prompt.ts'
export { checkResult, expectedResult } from './sixty-steps/result.ts'
export { makeSixtyStepsWorkspace } from './sixty-steps/workspace.ts'
