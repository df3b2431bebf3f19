SELECT EXISTS (SELECT FROM pg_database WHERE datname = 'kstar');
