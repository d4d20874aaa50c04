/** The model's summary when it is asked for one: plausible, short, and without any value that will be needed. */
export const SUMMARY = `## Goal
The user wants the workspace brought into the state that the release procedure describes, all sixty steps in order, without questions.

## Constraints
The user gave rules for the files that are written, for folders that stay as they are, and for values, which must be exact.

## Done
The first steps are finished: the layout was read, checks were run, and some results were written. One check failed and was noted.

## In progress
The steps are worked through one after the other; the progress file tells how far.

## Next
The remaining steps.`
