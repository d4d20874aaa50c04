/** Modules that are needed only with a session. They are loaded after the first screen is drawn. */
export { COMMANDS, slashCommandIn } from '../commands/index.ts'
export { Picker } from '../parts/picker.ts'
export { questionPart } from '../parts/question-part.ts'
export { SecretInput } from '../parts/secret-input.ts'
export { suggestions } from './suggestions.ts'
