import { heedSignals } from './starting-signals.ts'

// Imported first by a part's program, and by nothing else: what comes after it takes a second or more to load, and may be told to stop meanwhile.
heedSignals()
