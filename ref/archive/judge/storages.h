/*
 * storages.h - what an audit finds in the storages of tensors (SPEC 9.6.13, 9.6.14): bytes that
 * no tensor shows, and tensors without bytes. Of the storages nothing is read.
 */
#ifndef ARCHIVE_STORAGES_H
#define ARCHIVE_STORAGES_H

#include "archive/state/payload.h"
#include "members.h"
#include "views.h"

/* A raw tensor that a config has in a member, under a name that the caller chooses. */
void storages_add_raw(views *v, ep_bytes member, const payload *p);

/* Tells of a raw member that configs name so. False: ear->what. */
bool storages_tell_raw(const views *v, ep_bytes name, const zipfile_member *m,
                       const members_ear *ear);

/* Tells of what is in an archive of torch.save, if the member is one that can be read: of any
 * other nothing. False: ear->what. */
bool storages_audit_saved(const zipfile *zip, const zipfile_member *m, const members_ear *ear);

#endif
