import { PithError } from '../../model/problems/errors.ts'

/** An error of the command line itself, such as a flag with a name that nothing has. The program ends with exit code 2. */
export class UsageError extends PithError {}
