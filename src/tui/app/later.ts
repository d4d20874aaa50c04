/** What is needed only once the session is there: it is loaded behind the first screen. */
export { COMMANDS } from '../commands/index.ts'
export { Picker } from '../parts/picker.ts'
export { questionPart } from '../parts/questions.ts'
export { rewind } from './rewind.ts'
export { suggestions } from './suggestions.ts'
