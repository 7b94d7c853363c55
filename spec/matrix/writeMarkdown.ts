import { writePage } from './resultsFile';

/** `npm run matrix:docs`: writes docs/compatibility.md anew. */
writePage();
