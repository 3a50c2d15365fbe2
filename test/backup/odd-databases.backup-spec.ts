import { ODD_DATABASES, ODD_SETTINGS } from '../database/odd/odd-databases.js';
import { testDatabases } from '../database/odd/test-databases.js';

// On the server of another packager and an older version than Parley's own.
testDatabases([...ODD_SETTINGS, ...ODD_DATABASES]);
