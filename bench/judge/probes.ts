/** What an agent is asked after a compaction, one question for each thing that it must not have forgotten. */
export const PROBES = {
  recall:
    'Which errors came up and which commands failed, with their exact messages as far as you know them, and how does each stand now?',
  artifact:
    'Which files were created or modified so far, and what was changed in each? Which other files were read because they matter? Give paths.',
  continuation:
    'What did the user ask for last, how far is that, what is the state of the to-do list if there is one, and what exactly would you do next?',
  decision:
    'Which decisions were taken and why, which alternatives were dropped, and which limits did the user set that still hold? Quote the user where you can.',
} as const
export type Probe = keyof typeof PROBES
export const PROBE_NAMES = Object.keys(PROBES) as readonly Probe[]

/** What each answer is scored on, 0 to 5. */
export const CRITERIA = {
  accuracy: 'what it says is true: names, paths, messages and states are right to the letter, nothing is made up',
  context: 'it knows where the conversation stands and what the answer is about',
  'artifact trail': 'it knows which files were touched and how, and which commands were run',
  completeness: 'it answers all parts of the question with all that the truth has on it',
  continuity: 'work could go on from this answer without looking things up again or doing them twice',
  instructions: 'it keeps to what the user asked for and the limits that the user set',
} as const
export type Criterion = keyof typeof CRITERIA
export const CRITERION_NAMES = Object.keys(CRITERIA) as readonly Criterion[]
