import { ALL_SETTINGS, ODD_DATABASES } from './odd/odd-databases.js';
import { testDatabases } from './odd/test-databases.js';

testDatabases([ALL_SETTINGS, ...ODD_DATABASES]);
